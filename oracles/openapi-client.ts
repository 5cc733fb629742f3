export { OpenAPIClientAxios } from 'openapi-client-axios'
