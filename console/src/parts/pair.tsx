import type { ComponentChildren } from 'preact'

/** A fact with its name, in a `dl` of the class `pairs`. */
export const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
