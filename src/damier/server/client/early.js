/* Before the first paint: theme, board and motion as chosen, so that nothing flashes. settings.js checks them later. */
try {
  const chosen = JSON.parse(localStorage.getItem("damier") || "{}");
  for (const name of ["theme", "board", "motion"])
    if (/^[a-z]+$/.test(chosen[name])) document.documentElement.dataset[name] = chosen[name];
  if ((chosen.board ?? "wood") !== "wood") {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.setAttribute("blocking", "render");
    link.href = new URL(
      "styles/settings/boards.css",
      /** @type {HTMLScriptElement} */ (document.currentScript).src,
    ).href;
    document.head.append(link);
  }
} catch {
  /* no storage: the theme of the system */
}
