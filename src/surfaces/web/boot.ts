// Runs before the first paint: somebody who chose a theme must not see the other one flash by.
try {
  const theme = localStorage.getItem('hub.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  document.documentElement.lang = localStorage.getItem('hub.language') ?? navigator.language;
} catch {
  // Storage may be forbidden, as in a frame of another site: the system's theme is right then.
}
