/**
 * The pages' one script, as text for the browser. Everything works without it but
 * finding by run id, and following the Control UI where its theme is not the system's.
 *
 * Pure data. Source: host facts §9 (theme message; forms are dead in the frame).
 */
export const SCRIPT = `
(() => {
  const root = document.documentElement;
  addEventListener("message", (event) => {
    const data = event.data;
    if (event.source !== parent || typeof data !== "object" || data === null) return;
    if (data.type !== "openclaw:widget-theme") return;
    if (data.mode === "light" || data.mode === "dark") root.dataset.theme = data.mode;
  });
  const find = document.getElementById("find");
  if (find === null) return;
  const input = find.querySelector("input");
  const go = () => {
    const id = input.value.trim();
    if (id === "") input.focus();
    else location.assign("?run=" + encodeURIComponent(id.toWellFormed()));
  };
  find.hidden = false;
  find.querySelector("button").addEventListener("click", go);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) go();
  });
})();
`;
