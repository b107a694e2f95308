// Runs before the first paint: somebody who chose a theme must not see the other one flash by.
try {
  const theme = localStorage.getItem('hub.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  const language = localStorage.getItem('hub.language') ?? navigator.language;
  document.documentElement.lang = language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
} catch {
  // Storage may be forbidden, as in a frame of another site: the system's theme is right then.
}
