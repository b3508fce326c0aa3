/** A thin line at the top of the window while a page is being loaded. */
export const ProgressBar = () => <div class='progress-bar' role='progressbar' aria-label='Loading the page' />
