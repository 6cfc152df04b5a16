// Runs before the first paint, so that a page in the dark never flashes white.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('agent-zoo-theme');
  } catch {
    // Blocked by the browser: the theme of the system is used.
  }
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
