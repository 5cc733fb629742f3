// Which addresses contain a caller's words, and which of them contain the most. Only the address is looked at, not the
// page.

export interface UrlWords {
  /** Whether the address contains one of the words. Without words every address fits. */
  readonly fits: (url: string) => boolean
  /** Addresses with the most words first; equal ones keep their order. */
  readonly rank: (urls: readonly string[]) => readonly string[]
}

export const searchCharactersMax = 200

/** `search`: words with spaces between them. Case and accents do not matter, and a word may be part of a longer one. */
export function createUrlWords(search = ''): UrlWords {
  const words = [...new Set(fold(search).split(/\s+/))].filter((word) => word !== '')
  const count = (url: string) => {
    const address = fold(readable(url))
    return words.filter((word) => address.includes(word)).length
  }
  if (words.length === 0) return { fits: () => true, rank: (urls) => urls }
  return {
    fits: (url) => count(url) > 0,
    rank: (urls) =>
      urls
        .map((url) => ({ url, words: count(url) }))
        .sort((one, other) => other.words - one.words)
        .map(({ url }) => url),
  }
}

/** The address without its scheme, with letters in place of percent-encoded bytes. */
function readable(url: string): string {
  const address = url.slice(url.indexOf('//') + 2)
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
}
