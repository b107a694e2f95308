/* A process of the pool that classifies nothing: it says what it was given, and ends over what it is told to end over. */
process.once('disconnect', () => process.exit());
process.once('message', ({ deadly, startless }) => {
  if (startless) process.exit(4);
  process.on('message', (texts) => {
    if (texts.some((text) => text.includes(deadly))) process.exit(3);
    process.send({ results: texts.map((text) => ({ said: text })) });
  });
  process.send({ ready: true });
});
