// Places that do not yet follow a rule: `exceptions/<rule>.tsv` lists each with its figure. A list can only shrink: a
// new place fails, and so does an outdated entry. UPDATE_EXCEPTIONS=1 rewrites the lists after files have moved or
// figures have fallen, and refuses to let one grow.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { readText, root } from './sources.ts'

const updating = process.env.UPDATE_EXCEPTIONS === '1'
const howToUpdate = 'After a move: UPDATE_EXCEPTIONS=1 npx vitest run test/tidy'

/** From a place to its figure: lines, files or words. */
export type Figures = ReadonlyMap<string, number>

/** Asserts that only the listed places break a rule, and that each listed place still does. */
export function expectOnlyExceptions(rule: string, found: Figures): void {
  const file = `test/tidy/exceptions/${rule}.tsv`
  const allowed = readFigures(readText(file))
  if (updating) {
    expect(found.size, `places that break "${rule}"`).toBeLessThanOrEqual(allowed.size)
    expect(total(found), `the sum of "${rule}"`).toBeLessThanOrEqual(total(allowed))
    writeFileSync(path.join(root, file), writeFigures(found))
  } else {
    const nothing: Difference = { broken: [], outdated: [] }
    expect(compare(found, allowed), `The exceptions are in ${file}. ${howToUpdate}`).toEqual(
      nothing,
    )
  }
}

export interface Difference {
  /** Places without an entry, and places with a higher figure than their entry's. */
  readonly broken: string[]
  /** Entries for places that now follow the rule. */
  readonly outdated: string[]
}

export function compare(found: Figures, allowed: Figures): Difference {
  return {
    broken: [...found].flatMap(([place, figure]) => {
      const most = allowed.get(place)
      if (most !== undefined && figure <= most) return []
      return [`${place}: ${figure}${most === undefined ? '' : `, at most ${most}`}`]
    }),
    outdated: [...allowed.keys()].filter((place) => !found.has(place)),
  }
}

/** A merge of two branches may leave a place twice; the lower figure counts. */
function readFigures(text: string): Figures {
  const figures = new Map<string, number>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [place = '', figure = ''] = line.split('\t')
    figures.set(place, Math.min(figures.get(place) ?? Number.POSITIVE_INFINITY, Number(figure)))
  }
  return figures
}

const writeFigures = (figures: Figures) =>
  [...figures]
    .map(([place, figure]) => `${place}\t${figure}\n`)
    .sort()
    .join('')

const total = (figures: Figures) => [...figures.values()].reduce((sum, figure) => sum + figure, 0)
