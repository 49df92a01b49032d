import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import { type LocalIndex, openLocalIndex } from './local-index.ts';

const MEMORIES: Readonly<Record<string, string>> = {
  'zh-commit': '用户希望提交信息用中文写，并且每次提交都要通过测试。',
  'zh-database': '生产数据库每天凌晨三点备份到对象存储。',
  'zh-coffee': '用户早上喜欢喝不加糖的咖啡。',
  'ja-review': 'コードレビューは必ず二人で行う。金曜日の夕方はデプロイしない。',
  'ja-tests': 'テストは実際のデータベースに対して実行し、モックは使わない。',
  'ja-editor': 'ユーザーはエディタの配色に暗いテーマを好む。',
  'de-backup': 'Die Datenbanken werden jede Nacht um drei Uhr gesichert.',
  'de-language': 'Der Benutzer möchte Antworten in kurzen Sätzen, ohne Aufzählungen.',
  'de-deploy': 'Vor einer Auslieferung müssen alle Prüfungen bestanden sein.',
  'code-user': 'getUserName() must not be called before the session cookie is parsed.',
  'code-retry': 'MAX_RETRY_COUNT is read once at start, changing it needs a restart.',
  'code-path': 'The settings live in src/config/loader.ts and are validated there.',
  'code-header': 'parse_http_header keeps the case of header names.',
};

let directory: string;
let index: LocalIndex;
beforeAll(async () => {
  directory = temporaryFolder('languages');
  const encoder = openEncoder();
  index = openLocalIndex({ directory, encoder: () => encoder });
  await index.update(
    Object.entries(MEMORIES).map(([key, body]) => ({
      key,
      hash: key,
      read: () => ({ key, hash: key, name: key, description: '', body }),
    })),
  );
});

describe('a question finds its memory', () => {
  it.each([
    ['提交信息应该用什么语言？', 'zh-commit'],
    ['数据库什么时候备份？', 'zh-database'],
    ['早上喝什么咖啡？', 'zh-coffee'],
    ['デプロイしてはいけない日は？', 'ja-review'],
    ['テストでモックを使ってもいい？', 'ja-tests'],
    ['エディタのテーマはどれがいい？', 'ja-editor'],
    ['Wann wird die Datenbank gesichert?', 'de-backup'],
    ['Wie lang sollen die Sätze der Antwort sein?', 'de-language'],
    ['Was ist bei der Prüfung vor Auslieferungen zu beachten?', 'de-deploy'],
    ['When can I call getUserName?', 'code-user'],
    ['why is the user name empty before the session', 'code-user'],
    ['maxRetryCount has no effect', 'code-retry'],
    ['where is config/loader', 'code-path'],
    ['does parseHttpHeader lower the names', 'code-header'],
  ])('%s', (question, key) => {
    expect(index.search(question, { limit: 1 })[0]?.key).toBe(key);
  });

  it.each([
    ['数据库什么时候备份？', 'zh-database'],
    ['Wann werden die Datenbanken gesichert?', 'de-backup'],
    ['When can I call getUserName before the session cookie?', 'code-user'],
  ])('%s, and is certain', (question, key) => {
    const certain = index.search(question, { limit: 5 }).filter((hit) => hit.certain);
    expect(certain.map((hit) => hit.key)).toEqual([key]);
  });

  it.each(['今天的天气怎么样？', '東京の人口は？', 'Welches Fahrrad ist leichter?', 'What is the capital of France?'])(
    '%s finds nothing certain',
    (question) => {
      expect(index.search(question, { limit: 5 }).filter((hit) => hit.certain)).toEqual([]);
    },
  );
});
