// The size of a film.

/** H.264 with subsampled colours needs even sizes. */
export const even = (number: number) => Math.max(2, Math.round(number / 2) * 2)
