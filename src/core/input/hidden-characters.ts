// Characters that a reader does not see: controls, marks of direction, and other formatting. They make a name read as
// another one (`invoice_` U+202E `gnp.exe`). The two joiners stay, because scripts and emoji need them.
const hidden = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

export const removeHidden = (text: string): string => text.replaceAll(hidden, '')

/** A name as it is kept: without what a reader does not see. Null where nothing is left. */
export const visibleName = (text: string | null | undefined): string | null =>
  removeHidden(text ?? '').trim() || null

export const replaceHidden = (text: string, replacement: string): string =>
  text.replaceAll(hidden, replacement)

/** Keeps the direction of a text from changing the text around it, where markup cannot. Source: Unicode, annex 9. */
export const isolate = (text: string): string => `\u2068${text}\u2069`
