// UTF-8 that was decoded as windows-1252 and encoded again: "donâ€™t". Repaired only on pages that are full of it.

/** The characters of windows-1252 that are not at their byte's own place. */
const moved = new Map<number, number>(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map((character, index) => [
    character.charCodeAt(0),
    0x80 + index,
  ]),
)
const continuation = `[\\u0080-\\u00bf${[...moved.keys()].map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}]`
const pairPattern = new RegExp(
  `[\\u00c2-\\u00df]${continuation}|[\\u00e0-\\u00ef]${continuation}{2}|[\\u00f0-\\u00f4]${continuation}{3}`,
  'g',
)
const pairsMin = 40
const pairShareMin = 0.005
const failureShareMax = 0.05
const decoder = new TextDecoder('utf-8', { fatal: true })

export function repairMojibake(text: string): string {
  // The beginning is enough to tell, and keeps whole pages from being searched twice.
  const pairs = text.slice(0, sampledCharactersMax).match(pairPattern)?.length ?? 0
  if (pairs < pairsMin || pairs < pairShareMin * visibleLength(text.slice(0, sampledCharactersMax)))
    return text
  let failures = 0
  let repairs = 0
  const known = new Map<string, string | undefined>()
  const repaired = text.replace(pairPattern, (broken) => {
    if (!known.has(broken)) known.set(broken, repairOne(broken))
    const whole = known.get(broken)
    repairs += 1
    if (whole === undefined) failures += 1
    return whole ?? broken
  })
  return failures > failureShareMax * repairs ? text : repaired
}

function repairOne(broken: string): string | undefined {
  const bytes = Uint8Array.from(broken, (character) => {
    const code = character.charCodeAt(0)
    return moved.get(code) ?? code
  })
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const sampledCharactersMax = 1_000_000

/** Tags and scripts are plain ASCII and would thin out the share. */
function visibleLength(text: string): number {
  return text.replace(/<(?:script|style)\b[^>]*>[^<]*|<[^>]*>/gi, '').length
}
