/** The languages whose wording is known: requests to remember, days relative to today, words that judge people. Other languages pass unread. */

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'zh', 'ja', 'ko'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Those that put no spaces between words, and need patterns of their own. */
export type UnspacedLanguage = Extract<Language, 'zh' | 'ja' | 'ko'>;
