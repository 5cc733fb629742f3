// Clients join the pieces of a tool call by its index. Some upstreams omit the index or use it twice.
import type { ChatFields } from '../conversation/fields.ts'

export interface ToolCallIndex {
  /** Sets the index of each piece in place. */
  assign(pieces: readonly ChatFields[]): void
}

/** For the calls of one choice. */
export function createToolCallIndex(): ToolCallIndex {
  const ids: string[] = []
  /** New indexes of calls whose index was taken. */
  const moved = new Map<number, number>()

  function correct({ index, id, function: called }: ChatFields): number {
    const before = ids[moved.get(index) ?? index]
    const isAnotherCall = before !== undefined && id && id !== before && called?.name
    if (isAnotherCall) moved.set(index, ids.length)
    return moved.get(index) ?? index
  }
  function infer({ id }: ChatFields): number {
    const seen = ids.indexOf(id)
    if (seen >= 0) return seen
    return id == null ? Math.max(0, ids.length - 1) : ids.length
  }

  return {
    assign(pieces) {
      for (const piece of pieces) {
        piece.index = Number.isInteger(piece.index) ? correct(piece) : infer(piece)
        if (typeof piece.id === 'string') ids[piece.index] = piece.id
      }
    },
  }
}
