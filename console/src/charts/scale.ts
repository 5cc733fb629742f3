// The scales of charts.

/** Round values from zero up to at least `most`: steps of 1, 2 or 5 times a power of ten. */
export function ticksUpTo(most: number, count = 4): number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const steps = Math.ceil(most / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/**
 * Which of so many labels are written, so that at most `most` stand side by side. The last one is always among them.
 */
export function labelledOf(count: number, most: number): Set<number> {
  const every = Math.max(1, Math.ceil(count / most))
  return new Set(
    Array.from({ length: count }, (_, index) => index).filter(
      (index) => (count - 1 - index) % every === 0,
    ),
  )
}
