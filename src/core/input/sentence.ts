/** The text with a full stop, unless it ends as a sentence. */
export const asSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
