/* Before the first paint: the chosen theme, so that nothing flashes. */
try {
  const { theme } = JSON.parse(localStorage.getItem("damier") || "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  /* no storage: the theme of the system */
}
