// What a page of a PDF consists of. Coordinates are points from its top left corner, as the reader sees it.

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Characters that were drawn together. */
export interface TextRun extends Box {
  readonly text: string
  readonly baseline: number
  /** Of the font. */
  readonly size: number
  readonly isBold: boolean
  readonly isMonospace: boolean
  readonly isRightToLeft: boolean
}

/** A straight line that is horizontal or vertical. */
export interface Rule extends Box {
  readonly isHorizontal: boolean
}

/** Text on one line without a wide gap. */
export interface TextSegment extends Box {
  readonly runs: readonly TextRun[]
  readonly baseline: number
  readonly size: number
  readonly text: string
}

/** The smallest box around these. A page may have more runs than a function takes arguments. */
export function boxOf(boxes: readonly Box[]): Box {
  return boxes.reduce(
    (one: Box, other: Box) => ({
      left: Math.min(one.left, other.left),
      right: Math.max(one.right, other.right),
      top: Math.min(one.top, other.top),
      bottom: Math.max(one.bottom, other.bottom),
    }),
    noBox,
  )
}

const noBox: Box = {
  left: Number.POSITIVE_INFINITY,
  right: Number.NEGATIVE_INFINITY,
  top: Number.POSITIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The numbers, with those that lie within `tolerance` of their neighbour made one. */
export function mergeNear(numbers: readonly number[], tolerance: number): number[] {
  const merged: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const number of [...numbers].sort((one, other) => one - other)) {
    if (number - last > tolerance) merged.push(number)
    last = number
  }
  return merged
}
