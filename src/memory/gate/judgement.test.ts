/** Nothing negative about a person; what is harsh about a thing is a fact about the thing. */

import { describe, expect, it } from 'vitest';
import { hasJudgement } from './judgement.ts';

describe('what judges a person', () => {
  it.each([
    'Kevin from support is lazy and careless.',
    'The new intern looks unprofessional and clueless.',
    'A lazy colleague broke the build.',
    'Careless with indices.',
    'The landlord is a liar.',
    'The client is a cheapskate.',
    'Her sister is manipulative.',
    'Der Vermieter ist ein Lügner.',
    'Le beau-frère est un radin et un menteur.',
    'La vecina es una mentirosa.',
    'Il capo è un incapace.',
    'O estagiário é burro.',
    'De nieuwe stagiair is lui en dom.',
    'Новая завуч — дура.',
    'Соседка ленивая и глупая.',
    '房东是个骗子。',
    '同事很懒。',
    '隣の人は嘘つきである。',
    '새 팀장은 무능하다.',
  ])('%s', (text) => {
    expect(hasJudgement(text)).toBe(true);
  });

  it.each([
    'Avoid contractions in letters; they look unprofessional.',
    'Comic Sans looks unprofessional in our slides.',
    'Emoji in contracts are unprofessional.',
    'Use lazy loading for the gallery images.',
    'Sloppy formatting in the invoices cost us a client.',
    'Exclamation marks come across as rude in mails to Japan.',
    'It is rude in Japan to answer with a bare no.',
    'The tone of the old letter is arrogant; write it friendlier.',
    'Der Ton der alten Vorlage wirkt überheblich.',
    'El formato antiguo parece descuidado y torpe.',
    'Lies dir vor jedem Commit die Änderungen noch einmal durch.',
    'Usare il burro freddo per la frolla.',
    'La valeur nulle est permise dans ce champ.',
    '懒加载图片，因为首页太慢。',
    'Ленивая загрузка картинок обязательна.',
  ])('is not this: %s', (text) => {
    expect(hasJudgement(text)).toBe(false);
  });
});
