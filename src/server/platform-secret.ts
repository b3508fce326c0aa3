/** The file in the data folder in which an embedded server with PLATFORM_API stores the token for gateways. */
export const PLATFORM_SECRET = 'platform-token'
