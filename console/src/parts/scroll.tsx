import type { ComponentChildren } from 'preact'

/** Text that scrolls by itself, by keyboard too. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre class="wraps" tabIndex={0}>
        {children}
      </pre>
    </section>
  )
}
