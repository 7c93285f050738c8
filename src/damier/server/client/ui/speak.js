/** What is said to those who listen rather than look. */

let region;

export function speak(text) {
  region ??= document.getElementById("spoken");
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.children.length > 4) region.firstChild.remove();
}
