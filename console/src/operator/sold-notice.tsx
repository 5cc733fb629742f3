import { useEffect, useRef } from 'preact/hooks'
import { countOf } from '../format/count.ts'
import { addressOf } from '../router.ts'

export interface Sold {
  readonly name: string
  readonly actions: number
  readonly needsKey: boolean
}

/** Says what was sold. It takes the focus, because the button that was pressed is gone. */
export function SoldNotice({ of: sold }: { of: Sold | undefined }) {
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [sold])
  return (
    <div role="status">
      {sold && (
        <p class="notice good" tabIndex={-1} ref={notice}>
          {countOf(sold.actions, 'action')} of{' '}
          <a href={addressOf(`/operator/selling/${sold.name}`)}>{sold.name}</a>{' '}
          {sold.actions === 1 ? 'is' : 'are'} sold now.
          {sold.needsKey && ' The API takes your key: it is among the keys of providers below.'}
        </p>
      )}
    </div>
  )
}
