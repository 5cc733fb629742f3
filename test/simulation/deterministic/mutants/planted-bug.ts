import type { Mutant } from '../../../mutants/mutant.ts'

export interface PlantedBug extends Omit<Mutant, 'tests'> {
  /** It shows only when events come in a certain order. */
  readonly isInterleaving?: true
}
