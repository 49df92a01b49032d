/** The parts of a long message: one sentence of it may be about a memory that the whole hardly touches. */

/** The cost of a search for each. */
const MOST_PARTS = 6;
/** A shorter message is one thought, which its sentences share. */
const WORDS_OF_LONG_MESSAGE = 24;
/** Shorter ones are greetings and half sentences. */
const WORDS_OF_PART = 4;
const SENTENCE_END = /(?<=[.!?;])\s+|\n+|(?<=[。！？；])/u;

/** Empty for a short message. */
export function partsOfMessage(message: string): readonly string[] {
  if (wordCount(message) < WORDS_OF_LONG_MESSAGE) return [];
  const sentences = message.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '');
  if (sentences.length < 2) return [];
  return sentences.filter((sentence) => wordCount(sentence) >= WORDS_OF_PART).slice(0, MOST_PARTS);
}

function wordCount(text: string): number {
  return text.trim().split(/\s+/).length;
}
