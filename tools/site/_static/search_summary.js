// SPDX-License-Identifier: BSD-3-Clause
// Browsers refuse to read other pages from file://.
if (window.location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
