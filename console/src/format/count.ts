/** `1 action`, `2 actions`. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
