// Runs before the first paint: the theme that was chosen in this browser, or the one that the address names.
{
  const named = new URLSearchParams(location.search).get("theme");
  let kept = null;
  try { kept = localStorage.getItem("interlock-theme"); } catch { /* a private window keeps nothing */ }
  const theme = named || kept;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
