// Boxes and the memory of the machine.
import { expect, test } from 'vitest'
import { fitBoxes } from './fit.ts'

const boxMemoryBytes = 512_000_000
const machineOf = (gigabytes: number) => ({ boxMemoryBytes, machineBytes: gigabytes * 1e9 })

test.each([
  [1, 1],
  [4, 3],
  [16, 15],
  [64, 40],
])('a machine of %i GB has %i boxes by default, and no warning', (gigabytes, boxesMax) => {
  const fit = fitBoxes({ ...machineOf(gigabytes), boxesAtOnce: undefined })
  expect(fit).toEqual({ boxesMax, warning: undefined })
})

test('more boxes than the memory bears are allowed with a warning that says what to change', () => {
  const { boxesMax, warning } = fitBoxes({ ...machineOf(8), boxesAtOnce: 40 })
  expect(boxesMax).toBe(40)
  expect(warning).toContain('40 boxes of 512 MB may use 20480 MB, and this machine has 8000 MB')
  expect(warning).toContain('Set BOXES_AT_ONCE to at most 7, or lower BOX_MEMORY_MB.')
  expect(fitBoxes({ ...machineOf(8), boxesAtOnce: 15 }).warning).toBeUndefined()
  expect(fitBoxes({ ...machineOf(8), boxesAtOnce: 0 }).warning).toBeUndefined()
})

test('a box that is larger than the machine is told, too', () => {
  const fit = fitBoxes({ boxesAtOnce: undefined, boxMemoryBytes: 4e9, machineBytes: 2e9 })
  expect(fit).toEqual({
    boxesMax: 1,
    warning: expect.stringContaining('Set BOX_MEMORY_MB to at most 1000.'),
  })
})
