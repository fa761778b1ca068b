/**
 * Where the pages are: the gateway's route, and how the tab is called. Of its own,
 * because the host needs these at registration, when no page is loaded yet.
 *
 * Pure data. Source: host facts §9 (route and slug need different names).
 */

/** Path on the gateway; all pages are queries on it. */
export const PAGES_ROUTE = "/plugins/delegated-context";
/** The tab's own address in the Control UI: must not lie below the route. */
export const TAB_SLUG = "delegated";
export const TAB_LABEL = "Delegated context";
