/** Styles are a side effect of their import. */

declare module '*.css';
