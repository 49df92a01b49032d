/** The noise of a folder: how much evidence questions find in it that have nothing to do with it. */

import type { Steps } from '../base/async/in-turns.ts';

/** About many subjects, in the ways people ask. Some of them may fit a folder after all: three quarters decide. */
export const UNRELATED_QUESTIONS = [
  'how do I get rust stains out of a cast iron pan without ruining it?',
  'when does the last ferry to the island leave on sundays',
  'explain how a sonata is built',
  'my tomato plants have yellow leaves at the bottom, is that too much water?',
  'write a limerick about a goat who became mayor',
  'which planets have rings besides saturn',
  'the hydraulic press makes a grinding noise when it retracts, what should the technician look at first?',
  'translate "where is the nearest pharmacy" into portuguese',
  'what caused the thirty years war',
  'recommend a board game for five people who hate long rules',
  'plan a three day hike in the dolomites for beginners with a dog',
  'what is the safest way to jump start a car with a flat battery',
  'name ten trees that grow well in clay soil',
  'is it legal to fly a drone over a beach?',
  'help me write a toast for the wedding, they met at a climbing gym and have two cats',
  'what does a cardiologist do all day',
  'I twisted my ankle yesterday while running, should I put ice on it or heat, and when can I walk again?',
  'how are pearls formed',
  'draft a polite letter to the landlord about the broken radiator',
  'tell me a fun fact about octopuses',
  'what are good warm up exercises before swimming',
  'make a packing list for a week in the desert',
  'does honey ever go bad',
  'which wine goes with mushroom risotto',
  'the login button does nothing when I click it, can you find out why and fix it?',
  'rename the variable in the loop and run it again',
  'add a loading spinner to the page',
  'why does this query take four seconds although there is an index',
  'convert this class component to hooks',
  'the container exits with code 137 after a minute, what could that be',
  'what does this stack trace mean, and where does the null come from?',
  'sort the table by the second column when the header is clicked',
  'is there a memory leak in the worker pool',
  'parse the csv file and skip empty lines',
  'make the image smaller with a multi stage build',
  'refactor this so that the network call can be replaced in a test',
  'how do I undo the last three commits but keep the changes',
  'can you explain what this regular expression does?',
  'thanks, that works, what is next?',
  'what did we talk about last time?',
  'can you help me with something else first',
  'who was at the meeting and what was decided?',
  'how should I answer this email',
  'which of the two should I choose',
  'what should I cook tonight for four guests, one of them vegetarian?',
  'what are my options if the flight is cancelled and the hotel cannot be refunded',
  'how much should I practise the piano each day?',
  'give me some advice on saving money for a house',
  'what is a good way to meet people in a new city',
  'how long does it take to train for a half marathon',
  'suggest a present for my brother who has everything',
  'do you remember the name of that restaurant',
] as const;

/** What three quarters of unrelated questions stay below. */
const BELOW = 0.75;
/** The noise is measured again when the folder has grown or shrunk by this share: it changes with the logarithm of the size. */
const CHANGED_SHARE = 0.25;
/** In a smaller folder the size says enough. */
const LEAST_MEASURED = 12;
/** What folders of one and of ten memories have on average, a little on the safe side. */
const NOISE_OF_ONE = 0.7;
const NOISE_BY_TENFOLD = 0.12;

export interface Noise {
  readonly level: number;
  /** Memories it was measured over. */
  readonly size: number;
}

/** As measured, or as folders of this size have it. */
export function noiseLevel(noise: Noise | null, size: number): number {
  if (noise !== null && size >= LEAST_MEASURED) return noise.level;
  return NOISE_OF_ONE + NOISE_BY_TENFOLD * Math.log10(Math.max(1, size));
}

export function isOutdated(noise: Noise | null, size: number): boolean {
  if (size < LEAST_MEASURED) return false;
  return noise === null || Math.abs(size - noise.size) > noise.size * CHANGED_SHARE;
}

/** `bestEvidence` for a question. */
export function* measureNoise(size: number, bestEvidence: (question: string) => Steps<number>): Steps<Noise> {
  const found: number[] = [];
  for (const question of UNRELATED_QUESTIONS) {
    found.push(yield* bestEvidence(question));
    yield;
  }
  found.sort((left, right) => left - right);
  return { level: found[Math.floor(found.length * BELOW)]!, size };
}
