// What this browser keeps: the tables it made, the look, how moves are confirmed. Nothing of it leaves the browser.

/** Return a kept value, or `otherwise`: storage may be switched off. */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`rulespec.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value. */
export function keep(name, value) {
  try {
    localStorage.setItem(`rulespec.${name}`, JSON.stringify(value));
  } catch {
    // full or switched off: then it is not kept, and nothing depends on it
  }
}

/** Show the page light, dark, or as the system has it. */
export function showTheme() {
  const theme = kept("theme", "system");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const THEMES = ["system", "light", "dark"];

/** Go on to the next look, and return it. */
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(kept("theme", "system")) + 1) % THEMES.length];
  keep("theme", next);
  showTheme();
  return next;
}
