/** Text for a place that has one line. */

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
