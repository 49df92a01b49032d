/** What distinguishes the languages coloured by words: comments, strings, keywords, names of types. */

export interface Grammar {
  readonly keywords: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  /** Whether a word that starts with a capital is a type. */
  readonly capitalsAreTypes: boolean;
  readonly isCaseless: boolean;
  readonly lineComments: readonly string[];
  readonly blockComment: readonly [string, string] | null;
  readonly strings: readonly StringForm[];
  /** `'x'` is one character; a quote without a character after it means something else. */
  readonly hasCharacters: boolean;
  /** `$name` and `${name}`. */
  readonly hasVariables: boolean;
}

export interface StringForm {
  readonly open: string;
  readonly close: string;
  readonly spansLines: boolean;
  readonly hasEscapes: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const onLine = (quote: string): StringForm => ({ open: quote, close: quote, spansLines: false, hasEscapes: true });
const overLines = (quote: string): StringForm => ({ ...onLine(quote), spansLines: true });
const raw = (quote: string): StringForm => ({ ...overLines(quote), hasEscapes: false });

function grammar(parts: Partial<Omit<Grammar, 'keywords' | 'types'>> & { keywords: string; types?: string }): Grammar {
  return {
    ...{ capitalsAreTypes: false, isCaseless: false, hasCharacters: false, hasVariables: false },
    ...{ lineComments: ['//'], blockComment: ['/*', '*/'], strings: [onLine('"'), onLine("'")] },
    ...parts,
    keywords: words(parts.keywords),
    types: words(parts.types ?? ''),
  };
}

const SCRIPT = grammar({
  keywords:
    'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield',
  types: 'any bigint boolean never number object string symbol unknown',
  capitalsAreTypes: true,
  strings: [onLine('"'), onLine("'"), overLines('`')],
});

const PYTHON = grammar({
  keywords:
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  types: 'bool bytes dict float frozenset int list object set str tuple type',
  capitalsAreTypes: true,
  lineComments: ['#'],
  blockComment: null,
  strings: [overLines('"""'), overLines("'''"), onLine('"'), onLine("'")],
});

const SHELL = grammar({
  keywords:
    'case cd declare do done echo elif else esac eval exec exit export false fi for function if in local read readonly return set shift source then trap true unset until while',
  lineComments: ['#'],
  blockComment: null,
  strings: [overLines('"'), raw("'")],
  hasVariables: true,
});

const GO = grammar({
  keywords:
    'break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var',
  types:
    'any bool byte complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32 uint64 uint8 uintptr',
  strings: [onLine('"'), raw('`')],
  hasCharacters: true,
});

const RUST = grammar({
  keywords:
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while',
  types: 'bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize',
  capitalsAreTypes: true,
  strings: [overLines('"')],
  hasCharacters: true,
});

const JAVA = grammar({
  keywords:
    'abstract assert break case catch class const continue data default do else enum extends final finally for fun goto if implements import instanceof interface native new null object override package private protected public record return sealed static super switch synchronized this throw throws transient true false try val var void volatile when while yield',
  types: 'boolean byte char double float int long short',
  capitalsAreTypes: true,
  strings: [overLines('"""'), onLine('"')],
  hasCharacters: true,
});

const C = grammar({
  keywords:
    'alignas auto break case catch class const constexpr continue default define delete do else enum explicit export extern false final for friend goto if ifdef ifndef endif include inline namespace new noexcept nullptr operator override private protected public register return sizeof static struct switch template this throw true try typedef typename union using virtual volatile while',
  types:
    'bool char double float int int16_t int32_t int64_t int8_t long short signed size_t uint16_t uint32_t uint64_t uint8_t unsigned void wchar_t',
  capitalsAreTypes: true,
  strings: [onLine('"')],
  hasCharacters: true,
});

const SQL = grammar({
  keywords:
    'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists explain foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction trigger true false union unique update using values view when where with',
  types:
    'bigint blob boolean bytea char date decimal double float int integer json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar',
  isCaseless: true,
  lineComments: ['--'],
  strings: [overLines("'"), onLine('"')],
});

const NAMES: readonly (readonly [Grammar, string])[] = [
  [SCRIPT, 'ts tsx js jsx mjs cjs mts cts typescript javascript'],
  [PYTHON, 'py python python3 pyi'],
  [SHELL, 'bash sh zsh shell console dockerfile makefile'],
  [GO, 'go golang'],
  [RUST, 'rs rust'],
  [JAVA, 'java kotlin kt'],
  [C, 'c h cc cpp cxx hpp c++ objc'],
  [SQL, 'sql postgres postgresql mysql sqlite'],
];

export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  NAMES.flatMap(([each, names]) => names.split(' ').map((name) => [name, each] as const)),
);
