export { Browserbase } from '@browserbasehq/sdk'
