/** Two photos, the second faded in, under a title. */
export const exampleComposition = {
  v: 1 as const,
  format: { aspectRatio: '16:9', fps: 30, resolution: 'hd' },
  tracks: [
    {
      id: 'photos',
      kind: 'image',
      contents: [
        {
          id: 'harbour',
          startTime: 0,
          duration: 3,
          source: { kind: 'media', mediaId: 'med_1', kenBurns: 'in' },
        },
      ],
    },
  ],
}
