/** Words as people mistype them: "wendsday". */

/** In a short word one letter makes another word of it: `now` and `not`. */
const SHORT_WORD = 5;

/** One letter too many, too few, another, or two that changed places; never in a number. */
export function isSlip(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= SHORT_WORD && !/\d/.test(one + other) && slipsBetween(one, other) <= 1;
}

/** How many letters are too many, too few, others or swapped; three stands for more. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) slips = Math.min(slips, before[column - 2]! + 1);
      now.push(slips);
    }
    before = last;
    last = now;
  }
  return Math.min(3, last[other.length]!);
}
