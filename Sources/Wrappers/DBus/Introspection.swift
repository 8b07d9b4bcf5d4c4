/// The XML of `Introspect` (D-Bus specification, "Introspection Data Format"). Names need no escaping: the bus allows only
/// letters, digits and `_ . -` in them.
func introspectionXML(_ interfaces: [Interface], children: [String]) -> String {
    var lines = [
        #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
        #""http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#,
        "<node>",
    ]
    lines += interfaces.flatMap(xml)
    lines += children.map { #" <node name="\#($0)"/>"# }
    return (lines + ["</node>\n"]).joined(separator: "\n")
}

private func xml(_ interface: Interface) -> [String] {
    var lines = [#" <interface name="\#(interface.name)">"#]
    lines += interface.methods.flatMap(xml)
    lines += interface.properties.flatMap(xml)
    lines += interface.signals.flatMap(xml)
    lines.append(" </interface>")
    return lines
}

private func xml(_ method: Method) -> [String] {
    var lines = [#"  <method name="\#(method.name)">"#]
    lines += method.arguments.map { xml($0, #" direction="in""#) }
    lines += method.results.map { xml($0, #" direction="out""#) }
    lines.append("  </method>")
    return lines
}

private func xml(_ signal: SignalDescription) -> [String] {
    [#"  <signal name="\#(signal.name)">"#] + signal.arguments.map { xml($0, "") } + ["  </signal>"]
}

private func xml(_ property: Property) -> [String] {
    let access = property.set == nil ? "read" : "readwrite"
    let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
    return [
        #"  <property name="\#(property.name)" type="\#(property.type.text)" access="\#(access)">"#,
        #"   <annotation name="\#(annotation)" value="\#(property.change.rawValue)"/>"#,
        "  </property>",
    ]
}

private func xml(_ argument: Argument, _ direction: String) -> String {
    #"   <arg name="\#(argument.name)" type="\#(argument.type.text)"\#(direction)/>"#
}
