/** A yes takes over what the assistant asked, in whatever language; a no, a "but" and a bare permission do not. */

import { describe, expect, it } from 'vitest';
import { assistant, memory, reasoned, user } from '../../../test/support/gate-cases.ts';
import { isAffirmed } from './affirmation.ts';
import { checkWrite } from './index.ts';

const ASKED = {
  en: 'I put the sources into footnotes. Shall I remember that you prefer footnotes?',
  es: 'He puesto las fuentes en notas al pie. ¿Quiere que recuerde que prefiere notas al pie?',
  it: 'Ho messo le fonti a piè di pagina. Devo ricordare che preferisci le note a piè di pagina?',
  pt: 'Pus as fontes em notas de rodapé. Quer que eu lembre que prefere notas de rodapé?',
  nl: 'Ik heb de bronnen in voetnoten gezet. Zal ik onthouden dat je voetnoten wilt?',
  ru: 'Я вынес источники в сноски. Запомнить, что вы предпочитаете сноски?',
  ja: '見出しを「である」調に変えました。今後もこの形でよろしいですか。',
  ko: '출처를 각주로 옮겼습니다. 앞으로도 출처는 각주로 할까요?',
  zh: '我把参考资料放进了脚注。要记住以后都用脚注吗？',
} as const;

describe('a yes', () => {
  it.each([
    ['en', 'Sure, please do.'],
    ['en', 'ok remember that'],
    ['es', 'Sí, recuérdalo por favor.'],
    ['es', 'claro que sí'],
    ['it', 'Sì, ricordalo per favore.'],
    ['pt', 'Isso mesmo.'],
    ['nl', 'Ja graag'],
    ['ru', 'Да, запомни, пожалуйста.'],
    ['ja', 'はい、それでお願いします。'],
    ['ko', '네, 그렇게 기억해 주세요.'],
    ['zh', '好的，请记住。'],
  ] as const)('in %s: %s', (language, said) => {
    expect(isAffirmed(said, ASKED[language])).toBe(true);
  });

  it.each([
    ['en', 'no thanks'],
    ['en', 'Right now I have no time for that.'],
    ['en', 'yes but only for this one'],
    ['es', 'Sí, pero solo esta vez.'],
    ['it', 'Sì, ma non qui.'],
    ['nl', 'Nee, dank je.'],
    ['ru', 'Да, но только здесь.'],
    ['ja', 'いいえ、元に戻してください。'],
    ['ko', '아니요'],
    ['zh', '好的，但只有这次。'],
  ] as const)('is not this, in %s: %s', (language, said) => {
    expect(isAffirmed(said, ASKED[language])).toBe(false);
  });

  it('to something to be done is none to a rule', () => {
    expect(isAffirmed('ok', 'Shall I delete the branch?')).toBe(false);
    expect(isAffirmed('yes', 'Shall I delete the branch?')).toBe(true);
  });

  it('makes what was asked the word of the user', () => {
    const body = reasoned('Mettere le fonti in note a piè di pagina.', 'Confermato.', 'Tutti i testi.');
    const decide = (said: string) =>
      checkWrite({ span: [assistant(ASKED.it), user(said)], existing: [], proposed: memory('feedback', body) }).verdict;
    expect(decide('Sì, ricordalo.')).toBe('accept');
    expect(decide('No grazie.')).toBe('reject');
  });
});
