/** Every number that settings list is read by the program, by its type, and never past the settings. */

import { relative, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { SETTABLE_LIMITS } from '../src/limits.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TABLE = resolve(ROOT, 'src/limits/settable.ts');
const NAMES = new Set(Object.values(SETTABLE_LIMITS).flatMap((limits) => Object.keys(limits)));
/** There is no session, and so no settings, where these read the default. */
const WITHOUT_SETTINGS = new Set(['src/model/scripted.ts', 'src/model/ai-sdk/ai-sdk.ts', 'src/settings/project.ts']);

/** `group.name` of each read that the type checker traces to the table, with the file, and whether it is the constant's. */
interface Read {
  readonly limit: string;
  readonly file: string;
  readonly isDefault: boolean;
}

let reads: readonly Read[] = [];

beforeAll(() => {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.build.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  reads = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${ROOT}/src/`) && !/\/src\/limits|\.test\.ts$/.test(fileName))
    .flatMap((file) => readsIn(file, checker));
}, 120_000);

function readsIn(file: ts.SourceFile, checker: ts.TypeChecker): readonly Read[] {
  const found: Read[] = [];
  const visit = (node: ts.Node): void => {
    for (const declaration of symbolsReadAt(node, checker).flatMap((symbol) => symbol?.declarations ?? [])) {
      const limit = limitOf(declaration);
      if (limit === null) continue;
      found.push({ limit, file: relative(ROOT, file.fileName), isDefault: /^LIMITS\.\w+\.\w+$/.test(node.getText()) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `limits.name`, `limits[name]`, or `{ name }` taken out of one. */
function symbolsReadAt(node: ts.Node, checker: ts.TypeChecker): readonly (ts.Symbol | undefined)[] {
  if (ts.isPropertyAccessExpression(node)) {
    return NAMES.has(node.name.text) ? [checker.getSymbolAtLocation(node.name)] : [];
  }
  if (ts.isElementAccessExpression(node)) {
    const keys = checker.getTypeAtLocation(node.argumentExpression);
    const names = (keys.isUnion() ? keys.types : [keys]).flatMap((key) => (key.isStringLiteral() ? [key.value] : []));
    if (!names.some((name) => NAMES.has(name))) return [];
    const type = checker.getTypeAtLocation(node.expression);
    return names.map((name) => type.getProperty(name));
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return [];
  const name = node.propertyName ?? node.name;
  if (!ts.isIdentifier(name) || !NAMES.has(name.text)) return [];
  return [checker.getTypeAtLocation(node.parent).getProperty(name.text)];
}

function limitOf(declaration: ts.Declaration): string | null {
  if (declaration.getSourceFile().fileName !== TABLE || !ts.isPropertyAssignment(declaration)) return null;
  const group = declaration.parent.parent;
  return ts.isPropertyAssignment(group) ? `${group.name.getText()}.${declaration.name.getText()}` : null;
}

// The type checker takes as long as a hundred other tests: `npm run test:all` asks it.
describe.runIf(process.env.REVERIE_TESTS === 'all')('a limit that settings list', () => {
  const all = Object.entries(SETTABLE_LIMITS).flatMap(([group, limits]) =>
    Object.keys(limits).map((name) => `${group}.${name}`),
  );

  it('is read by the program', () => {
    const known = new Set(reads.map(({ limit }) => limit));
    expect(all.filter((limit) => !known.has(limit))).toEqual([]);
  });

  it('is never read from the defaults where there are settings', () => {
    expect(reads.filter(({ file, isDefault }) => isDefault && !WITHOUT_SETTINGS.has(file))).toEqual([]);
  });
});
