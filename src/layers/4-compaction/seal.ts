/** Keeps foreign text from looking like the user's or ours: tags that only this program writes are broken up. */

const OURS = /<(?=\/?(?:system-reminder|user-message|file-as-it-is-now|skill|plan)\b)/gi;

export function seal(text: string): string {
  return text.replace(OURS, '<\\');
}
