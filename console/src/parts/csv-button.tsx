import { useWork } from '../load.ts'
import { Problem } from './notices.tsx'
import { saveAs } from './save.ts'

/** Saves all rows that a page is about in one file. */
export function CsvButton({ name, save }: { name: string; save: () => Promise<Blob> }) {
  const { isBusy, error, start } = useWork(async () => {
    saveAs(name, URL.createObjectURL(await save()))
  })
  return (
    <span class="bar">
      <Problem error={error} />
      <button type="button" aria-disabled={isBusy} onClick={start}>
        {isBusy ? 'Preparing …' : 'Save as CSV'}
      </button>
    </span>
  )
}
