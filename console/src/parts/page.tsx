import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

let hasEntered = false

/** A page with its heading. The heading takes the focus when the page is entered, so that screen readers read it. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Tollway`
  }, [title])
  useLayoutEffect(() => {
    // The first page leaves the focus where the browser put it.
    if (hasEntered) heading.current?.focus({ preventScroll: true })
    hasEntered = true
    scrollTo(0, 0)
  }, [])
  return (
    <main class="page" id="content" tabIndex={-1}>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </header>
      {children}
    </main>
  )
}

export function Numbers({ children }: { children: ComponentChildren }) {
  return <dl class="numbers">{children}</dl>
}

/** One number with what it counts. */
export function NumberOf({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="number">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
