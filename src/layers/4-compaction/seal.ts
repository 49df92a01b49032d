/** Keeps text that is not the user's or ours from looking like it: tags that only this program writes are taken apart. */

const OURS = /<(?=\/?(?:system-reminder|user-message|file-as-it-is-now|skill|plan)\b)/gi;

export function seal(text: string): string {
  return text.replace(OURS, '<\\');
}
