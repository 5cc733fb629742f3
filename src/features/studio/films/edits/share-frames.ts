// Shares the frames of a film among its segments.

/** No segment is shorter than this, so that it can be seen. */
export const segmentSecondsMin = 0.4

export interface FrameShare {
  /** The most frames that it has material for. */
  readonly most: number
}

/**
 * As equal as the material allows, and together exactly `total`. Undefined: there is too little material.
 * Each of `shares` has at least one frame of material, and `total` is at least their number.
 */
export function shareFrames(shares: readonly FrameShare[], total: number): number[] | undefined {
  if (shares.reduce((sum, { most }) => sum + most, 0) < total) return undefined
  const frames = shares.map(() => 0)
  let left = total
  // The shortest material first: what it lacks goes to all the others.
  const order = [...shares.keys()].toSorted((one, other) => mostOf(one) - mostOf(other))
  for (const [done, at] of order.entries()) {
    const fair = Math.floor(left / (order.length - done))
    frames[at] = Math.min(mostOf(at), fair)
    left -= frames[at] ?? 0
  }
  return frames

  function mostOf(at: number): number {
    return shares[at]?.most ?? 0
  }
}
