-- The number that the last part of an address begins with, as trackers give them ("…/1287-title"), so that it is found by that.
create index explorations_reference on explorations ((substring(url from '/([0-9]{1,9})(?:-[^/]*)?/?$'))) where url is not null;
