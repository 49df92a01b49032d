/** The languages whose wording is known: requests to remember, days relative to today, words that judge people. Other languages pass unread. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'ru' | UnspacedLanguage;

/** They put no spaces between words, and need patterns of their own. */
export type UnspacedLanguage = 'zh' | 'ja' | 'ko';
