// Runs before the first paint, so that a page in the dark never flashes white.
(() => {
  const chosen = localStorage.getItem('agent-zoo-theme');
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
