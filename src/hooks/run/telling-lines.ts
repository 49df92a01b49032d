/** Which lines of a failed command's output say what went wrong. */

const SPEAKS_OF_FAILURE = /error|fail|exception|cannot|can't|could not|not found|denied|refused|undefined|fatal|panic/i;
const MOST_LINES = 10;
const LAST_LINES = 5;
const LINE_CHARACTERS = 500;

/** The last ones of an output that does not. */
export function tellingLines(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const about = lines.filter((line) => SPEAKS_OF_FAILURE.test(line));
  const chosen = about.length > 0 ? about.slice(0, MOST_LINES) : lines.slice(-LAST_LINES);
  return chosen.map((line) => line.slice(0, LINE_CHARACTERS));
}
