import { saveAs } from './save.ts'
import { WorkButton } from './work-button.tsx'

/** Saves all rows that a page is about in one file. */
export const CsvButton = ({ name, save }: { name: string; save: () => Promise<Blob> }) => (
  <WorkButton
    busy="Preparing …"
    work={async () => {
      saveAs(name, URL.createObjectURL(await save()))
    }}
  >
    Save as CSV
  </WorkButton>
)
